export interface Random {
  /** New per attempt and not to be guessed: with one per process, a worker thought dead could pass for its successor. */
  token(): string;
}
