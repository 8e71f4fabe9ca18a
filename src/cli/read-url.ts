import { UsageError } from "#cli/terminal.ts";
import { isPlainUrl } from "#config/plain-url.ts";

/** An address that an option names, without a slash at its end; undefined where the option is not there. */
export function readUrlOption(option: string, asked: string | undefined): string | undefined {
  if (asked === undefined) return undefined;
  if (isPlainUrl(asked)) return asked.replace(/\/+$/, "");
  // What was given is not repeated: there may be a password in it.
  throw new UsageError(`${option}: expected an address such as https://drover.example, and nothing else in it.`);
}
