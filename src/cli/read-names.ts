export function readNames(text: string | undefined): readonly string[] {
  return (text ?? "").split(",").flatMap((name) => (name.trim() === "" ? [] : [name.trim()]));
}
