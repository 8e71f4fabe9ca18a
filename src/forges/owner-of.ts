/** Forges tell owners apart without regard to case; `toLowerCase` knows letters that they do not. */
export function ownerOf(repository: string): string {
  const [owner = ""] = repository.split("/");
  return owner.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
