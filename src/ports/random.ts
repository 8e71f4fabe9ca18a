export interface Random {
  /**
   * Letters and digits that are new and cannot be guessed. Each attempt gets its own: with one token per process, a
   * worker that was thought dead could pass for its successor.
   */
  token(): string;
}
