/** Shown in one line, so it also says what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
