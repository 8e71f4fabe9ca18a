import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["src/**/*.test.ts", "test/**/*.test.ts", "tools/**/*.test.ts"],
    // Each file is pure or makes its own temporary folder, so files may share a process: it halves the start-up time.
    isolate: false,
    // Vitest would leave one processor free, which is half of a small machine.
    maxWorkers: "100%",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
