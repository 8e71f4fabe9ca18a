import { describe, expect, it } from "vitest";
import { type Description, trimDescription } from "./trim-description.ts";

function trim({ operation, ...components }: { readonly operation: object; readonly [kind: string]: object }) {
  const whole = { paths: { "/things/{id}": { get: operation, put: operation } }, components: { ...components } };
  const wanted = { version: "1", operations: [{ method: "GET", path: "/things/{id}" }] };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made by hand here, and of that shape.
  return trimDescription(whole as Description, wanted);
}

function answering(schema: object): object {
  return { responses: { 200: { content: { "application/json": { schema } } } } };
}

function answerOf(schema: object): unknown {
  return trim({ operation: answering(schema) }).description.operations["GET /things/{id}"]?.answers["200"];
}

describe("a trimmed description", () => {
  it("has the operations that were asked for, and says which are not described", () => {
    const operations = [
      { method: "GET", path: "/things/{id}" },
      { method: "POST", path: "/none" },
    ];
    const whole = { paths: { "/things/{id}": { get: answering({}), put: {} } }, components: {} };
    const { description, missing } = trimDescription(whole, { version: "1", operations });
    expect([Object.keys(description.operations), missing]).toEqual([["GET /things/{id}"], ["POST /none"]]);
  });

  it("keeps the schemas that are named, also by each other, and no others", () => {
    const schemas = {
      one: { properties: { two: { $ref: "#/components/schemas/two" } } },
      two: { type: "string" },
      three: { type: "string" },
    };
    const { description } = trim({ schemas, operation: answering({ $ref: "#/components/schemas/one" }) });
    expect(description.$defs).toMatchObject({
      one: { properties: { two: { $ref: "#/$defs/two" } } },
      two: { type: "string" },
    });
    expect(description.$defs).not.toHaveProperty("three");
  });

  it("says in words of JSON Schema what may be null", () => {
    expect(answerOf({ type: "string", nullable: true })).toEqual({ type: ["string", "null"] });
    expect(answerOf({ type: "string", enum: ["a"], nullable: true })).toEqual({
      type: ["string", "null"],
      enum: ["a", null],
    });
    expect(answerOf({ allOf: [{ type: "object" }], nullable: true })).toEqual({
      anyOf: [{ allOf: [{ type: "object" }] }, { type: "null" }],
    });
  });

  it("leaves words for people away, but no property that has such a name", () => {
    const schema = { description: "Long.", example: 1, properties: { description: { type: "string", title: "T" } } };
    expect(answerOf(schema)).toEqual({ properties: { description: { type: "string" } } });
  });

  it("knows what a request may hold, and takes no other field", () => {
    const schema = {
      type: "object",
      properties: { body: { type: "string" }, more: { type: "object", properties: { a: {} } } },
    };
    const requestBody = { required: true, content: { "application/json": { schema } } };
    const { description } = trim({ operation: { requestBody, responses: {} } });
    expect(description.operations["GET /things/{id}"]?.body).toEqual({
      required: true,
      schema: {
        type: "object",
        additionalProperties: false,
        properties: {
          body: { type: "string" },
          more: { type: "object", additionalProperties: false, properties: { a: {} } },
        },
      },
    });
  });

  it("finds parameters and answers that are described elsewhere", () => {
    const parameters = { id: { name: "id", in: "path", required: true, schema: { type: "integer" } } };
    const responses = { gone: { content: { "application/json": { schema: { type: "object" } } } } };
    const operation = {
      parameters: [{ $ref: "#/components/parameters/id" }],
      responses: { 204: { description: "Nothing." }, 410: { $ref: "#/components/responses/gone" } },
    };
    const { description } = trim({ parameters, responses, operation });
    expect(description.operations["GET /things/{id}"]).toEqual({
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }],
      body: null,
      answers: { 204: null, 410: { type: "object" } },
    });
  });
});
