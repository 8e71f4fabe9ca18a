export declare const orders: {
  load(id: string): Promise<{ id: string }>;
  close(id: string): Promise<void>;
};
export declare const payments: {
  /** Rejects where the bank refuses. */
  capture(orderId: string): Promise<void>;
};
