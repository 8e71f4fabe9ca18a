import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    // Each file is pure or makes its own temporary folder, so files may share a process: it halves the start-up time.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
