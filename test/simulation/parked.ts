import type { Border, Crossing } from "./border.ts";

/** How a method is asked: `write` crosses the border there and back, `read` only there. */
export interface Manner {
  readonly kind: "read" | "write";
  readonly ms: Crossing["ms"];
  /** More of the name than the method, from what it is asked. */
  readonly detail?: (request: unknown) => string;
}

type Method = (...args: readonly unknown[]) => Promise<unknown>;

/** A port whose calls, those that the table names, take place beyond the border. The others are as they were. */
export function parked<Port extends object>(
  port: Port,
  options: {
    readonly name: string;
    readonly border: Border;
    readonly manners: Partial<Readonly<Record<keyof Port & string, Manner>>>;
  },
): Port {
  const { name, border, manners } = options;
  const wrapped: Partial<Record<string, unknown>> = {};
  Object.assign(wrapped, port);
  for (const [method, manner] of Object.entries<Manner | undefined>(manners)) {
    const call: unknown = Reflect.get(port, method);
    if (manner === undefined || !isMethod(call)) continue;
    wrapped[method] = parkedMethod(call.bind(port), manner, { border, point: `${name}.${method}` });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same members, some of them behind the border.
  return wrapped as Port;
}

function parkedMethod(
  call: Method,
  { kind, ms, detail }: Manner,
  { border, point }: { readonly border: Border; readonly point: string },
): Method {
  return async (...args) => {
    const name = detail === undefined ? point : `${point} ${detail(args[0])}`;
    await border.cross({ point: name, phase: "before", ms });
    if (kind === "read") return await call(...args);
    try {
      const answer = await call(...args);
      await border.cross({ point: name, phase: "after", ms });
      return answer;
    } catch (error) {
      await border.cross({ point: name, phase: "after", ms });
      throw error;
    }
  };
}

function isMethod(value: unknown): value is Method {
  return typeof value === "function";
}
