export function shortSha(sha: string): string {
  return sha.slice(0, 10);
}
