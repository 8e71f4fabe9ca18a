/** OpenRouter writes the maker before the name of the model, and dots where Anthropic has dashes. */
export function readMaker(model: string): { readonly maker: string; readonly name: string } {
  const slash = model.indexOf("/");
  return { maker: model.slice(0, Math.max(0, slash)), name: model.slice(slash + 1) };
}
