import { customersNamed } from "./customers.js";

export const search = async (request: { query: { q: string } }) => await customersNamed(request.query.q);
