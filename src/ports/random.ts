/** Chance, and identity made of it. */
export interface Random {
  /**
   * Letters and digits that nobody has been given before and nobody can guess. One for each attempt at something: a
   * token of the process would let a worker that was thought dead pass for its successor.
   */
  token(): string;
}
