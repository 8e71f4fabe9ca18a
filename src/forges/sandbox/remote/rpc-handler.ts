import { z } from "zod";

export type RpcHandler<Target> = (target: Target, asked: unknown) => Promise<unknown>;

export class BadRpcRequest extends Error {
  override readonly name = "BadCall";
}

export function rpcHandler<Target, Asked>(
  shape: z.ZodType<Asked>,
  serve: (target: Target, asked: Asked) => Promise<unknown>,
): RpcHandler<Target> {
  return (target, asked) => {
    const read = shape.safeParse(asked);
    if (!read.success) throw new BadRpcRequest(z.prettifyError(read.error));
    return serve(target, read.data);
  };
}

/** Names come from outside, so what every object has is none. */
export function findRpcHandler<Target>(
  doors: Readonly<Record<string, RpcHandler<Target>>>,
  name: string,
): RpcHandler<Target> {
  const found = Object.hasOwn(doors, name) ? doors[name] : undefined;
  if (found === undefined) throw new BadRpcRequest(`there is no ${name}. There is: ${Object.keys(doors).join(", ")}`);
  return found;
}
