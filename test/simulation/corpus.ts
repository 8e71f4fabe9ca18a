/** Seeds that once found something, and what it was. They are run before all others. */
export const corpus: readonly { readonly seed: number; readonly story: string }[] = [];
