export class EndpointRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
  }
}

/** Or the caller may not know that it is there. */
export function notFound(): EndpointRefusal {
  return new EndpointRefusal(404, "Not Found");
}
