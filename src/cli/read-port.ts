import { UsageError } from "#cli/terminal.ts";

const portMax = 65_535;

export function readPort(asked: string): number {
  const port = /^\d{1,5}$/.test(asked) ? Number(asked) : portMax + 1;
  if (port <= portMax) return port;
  throw new UsageError(`--port ${asked}: expected a number from 0 (any that is free) to ${portMax}.`);
}
