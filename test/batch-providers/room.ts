/** What a provider has in its rooms: batches, and what becomes of them as time passes. */
export interface Room {
  /** All that was handed over, in this order. */
  readonly batches: readonly StoredBatch[];
  readonly files: Map<string, string>;
  add(requests: readonly StoredRequest[], over: Partial<Pick<StoredBatch, "token" | "inputFile">>): StoredBatch;
  find(id: string): StoredBatch | undefined;
  /** Newest first. */
  list(): readonly StoredBatch[];
  /** What it is by now. */
  stateOf(batch: StoredBatch): BatchStage;
  cancel(batch: StoredBatch): void;
  /** How each request ended, once the batch has. */
  fatesOf(batch: StoredBatch): readonly RequestFate[];
  /** What the model says to this prompt. */
  say(prompt: string): string;
  readonly now: () => number;
  /** Requests that were answered, each of which is paid for. */
  billed(): number;
}

export type BatchStage = "begun" | "ending" | "ended" | "failed" | "expired";
export type RequestFate = "answered" | "garbage" | "errored" | "expired" | "cancelled" | "missing";

export interface StoredRequest {
  readonly id: string;
  readonly body: unknown;
}

export interface StoredBatch {
  readonly id: string;
  readonly token: string | null;
  readonly inputFile: string | null;
  readonly createdAt: number;
  readonly requests: readonly StoredRequest[];
  cancelledAt: number | null;
  isDeleted: boolean;
}

export interface RoomOptions {
  readonly now: () => number;
  /** What the model answers to a prompt. */
  readonly say: (prompt: string) => string;
  /** How long a batch takes; by default half an hour. */
  readonly takesMs?: number;
  /** Whether it fails as a whole, or runs out of time. */
  readonly fate?: (batch: StoredBatch) => "ends" | "fails" | "expires";
  /** What becomes of the requests of a batch that ends. */
  readonly requestFate?: (request: StoredRequest, index: number) => RequestFate;
  /** For so long a new batch is not on the list yet. */
  readonly listLagMs?: number;
}

const halfHourMs = 30 * 60_000;
const dayMs = 24 * 60 * 60_000;
/** What is told to stop takes so long to do so. */
const cancelMs = 90_000;

export function createRoom(options: RoomOptions): Room {
  const { now, say, takesMs = halfHourMs, fate, requestFate, listLagMs = 0 } = options;
  const batches: StoredBatch[] = [];
  // No two providers of a test run use the same names, or one would pass for the other in a shared database.
  const run = Math.random().toString(36).slice(2, 10);
  const stateOf = (batch: StoredBatch): BatchStage => {
    const kind = fate?.(batch) ?? "ends";
    if (batch.cancelledAt !== null) return now() >= batch.cancelledAt + cancelMs ? "ended" : "ending";
    if (kind === "fails") return "failed";
    if (kind === "expires") return now() >= batch.createdAt + dayMs ? "expired" : "begun";
    return now() >= batch.createdAt + takesMs ? "ended" : "begun";
  };
  const fatesOf = (batch: StoredBatch): readonly RequestFate[] => {
    const isCut = batch.cancelledAt !== null && batch.cancelledAt < batch.createdAt + takesMs;
    return batch.requests.map((request, index) => {
      // Of a batch that is stopped, the first request was answered already.
      if (isCut && index > 0) return "cancelled";
      if (stateOf(batch) === "expired" && index > 0) return "expired";
      return requestFate?.(request, index) ?? "answered";
    });
  };
  return {
    batches,
    files: new Map(),
    now,
    say,
    stateOf,
    fatesOf,
    add: (requests, { token = null, inputFile = null }) => {
      const id = `batch_${run}_${batches.length + 1}`;
      const batch = { id, token, inputFile, createdAt: now(), requests, cancelledAt: null, isDeleted: false };
      batches.push(batch);
      return batch;
    },
    find: (id) => batches.find((batch) => batch.id === id && !batch.isDeleted),
    list: () => batches.filter(({ isDeleted, createdAt }) => !isDeleted && now() >= createdAt + listLagMs).toReversed(),
    cancel: (batch) => {
      batch.cancelledAt ??= now();
    },
    billed: () =>
      batches
        .filter((batch) => ["ended", "expired"].includes(stateOf(batch)))
        .flatMap(fatesOf)
        .filter((one) => one === "answered" || one === "garbage").length,
  };
}
