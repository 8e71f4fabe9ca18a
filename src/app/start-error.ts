/** What is wrong with how Drover was started; told in one line, with what to do. */
export class StartError extends Error {
  override readonly name = "StartError";
}
