/** The job around it, in our templates, is given some more. */
export const runMinutesUsual = 30;
