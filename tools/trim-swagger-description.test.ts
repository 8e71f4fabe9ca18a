import { describe, expect, it } from "vitest";
import { trimSwagger } from "./trim-swagger-description.ts";

const swagger = {
  paths: {
    "/things/{id}": {
      get: {
        parameters: [
          { type: "integer", format: "int64", description: "its number", name: "id", in: "path", required: true },
          { type: "string", name: "sort", in: "query" },
        ],
        responses: { 200: { $ref: "#/responses/Thing" }, 404: { $ref: "#/responses/notFound" } },
      },
      patch: {
        parameters: [{ name: "body", in: "body", schema: { $ref: "#/definitions/EditThing" } }],
        responses: { 204: { $ref: "#/responses/empty" } },
      },
      delete: { responses: {} },
    },
  },
  definitions: {
    Thing: {
      type: "object",
      properties: {
        id: { type: "integer", "x-go-name": "ID" },
        description: { type: "string", description: "a field of that name" },
        owner: { $ref: "#/definitions/User" },
        made: { type: "string", format: "date-time" },
        parts: { type: "array", items: { $ref: "#/definitions/Thing" } },
      },
      "x-go-package": "structs",
    },
    EditThing: { type: "object", required: ["name"], properties: { name: { type: "string" } } },
    User: { type: "object", properties: { login: { type: "string" } } },
    Unused: { type: "object" },
  },
  responses: {
    Thing: { description: "Thing", schema: { $ref: "#/definitions/Thing" } },
    empty: { description: "nothing" },
    notFound: { description: "not there" },
  },
};

const operations = ["GET", "PATCH", "POST"].map((method) => ({ method, path: "/things/{id}" }));
const trimmed = trimSwagger(swagger, { version: "1.25.5", operations });

function orNull(schema: object): object {
  return { anyOf: [schema, { type: "null" }] };
}

describe("a trimmed Swagger file", () => {
  it("has the operations that were asked for, as far as they are described, and says whose work it is", () => {
    expect(Object.keys(trimmed.operations)).toEqual(["GET /things/{id}", "PATCH /things/{id}"]);
    expect([trimmed.version, trimmed.license]).toEqual(["1.25.5", expect.stringContaining("MIT License")]);
  });

  it("keeps parameters, bodies and successful answers apart", () => {
    expect(trimmed.operations["GET /things/{id}"]).toEqual({
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "integer", format: "int64" } },
        { name: "sort", in: "query", required: false, schema: { type: "string" } },
      ],
      body: null,
      answers: { 200: { $ref: "#/$defs/Thing" } },
    });
    expect(trimmed.operations["PATCH /things/{id}"]).toEqual({
      parameters: [],
      body: { required: false, schema: { $ref: "#/$defs/EditThing" } },
      answers: { 204: null },
    });
  });

  it("has the schemas that they name, closed to other fields, and what Go may leave null is allowed to be", () => {
    expect(trimmed.$defs).toEqual({
      EditThing: {
        type: "object",
        required: ["name"],
        properties: { name: { type: "string" } },
        additionalProperties: false,
      },
      Thing: {
        type: "object",
        properties: {
          id: { type: "integer" },
          description: { type: "string" },
          owner: orNull({ $ref: "#/$defs/User" }),
          made: orNull({ type: "string", format: "date-time" }),
          parts: orNull({ type: "array", items: { $ref: "#/$defs/Thing" } }),
        },
        additionalProperties: false,
      },
      User: {
        type: "object",
        // Always sent, and never described.
        properties: { login: { type: "string" }, username: { type: "string" } },
        additionalProperties: false,
      },
    });
  });
});
