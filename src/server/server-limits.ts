/** Before a whole body is read, no signature has been checked. */
export interface ServerLimits {
  /** Of one delivery. */
  readonly bodyBytesMax: number;
  /** Of all deliveries that are being received. */
  readonly bodiesBytesMax: number;
  readonly connectionsMax: number;
  /** Requests without a read answer. A connection with more is ended. */
  readonly requestsPerConnectionMax: number;
  /** Of all requests until their answers are read. Beyond it the connection with the most memory is ended. */
  readonly requestsBytesMax: number;
  readonly headerBytesMax: number;
  readonly headersMax: number;
  /** From the first byte of a request, or from the connection, to the end of its headers. */
  readonly headersMsMax: number;
  /** From the first byte of a request to its last. */
  readonly requestMsMax: number;
  /** Between two requests on one connection. */
  readonly idleMsMax: number;
  /** Without a byte in either direction, while a request is not answered or its answer not read. */
  readonly stillMsMax: number;
  /** How often Node looks for connections that are over these times. */
  readonly lookMs: number;
  /** From the last byte of a delivery to our answer. */
  readonly answerMsMax: number;
  readonly metricsMsMax: number;
  /** How long one result serves everybody who asks. */
  readonly metricsKeepMs: number;
}

export const serverLimits: ServerLimits = {
  // GitHub drops events that are larger.
  bodyBytesMax: 25_000_000,
  // Two of the largest and some hundred of the usual 25 kB, in a process that is meant to stay below 300 MB.
  bodiesBytesMax: 64_000_000,
  // More than any forge opens, and well below the usual limit of file descriptors.
  connectionsMax: 4000,
  // Forges and proxies send one request after the other.
  requestsPerConnectionMax: 16,
  // As much as the bodies: one request of the usual size on each connection.
  requestsBytesMax: 64_000_000,
  headerBytesMax: 16_384,
  headersMax: 200,
  headersMsMax: 10_000,
  // No forge takes so long.
  requestMsMax: 30_000,
  // Longer than the minute after which common reverse proxies close a connection: it is they who should.
  idleMsMax: 75_000,
  stillMsMax: 60_000,
  lookMs: 2000,
  // Longer than the intake waits, shorter than the 5 s after which Gitea hangs up. GitHub waits for 10 s.
  answerMsMax: 4500,
  metricsMsMax: 2000,
  // Monitoring reads no more often than every few seconds.
  metricsKeepMs: 2000,
};
