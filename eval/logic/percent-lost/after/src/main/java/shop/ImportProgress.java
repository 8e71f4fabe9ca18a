package shop;

record ImportProgress(int done, int total) {
    /** From 0 to 100. */
    int percent() {
        return done / total * 100;
    }
}
