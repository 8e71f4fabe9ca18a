import { beforeEach } from "vitest";
import { needPostgres } from "./postgres.ts";

// For the stories on PostgreSQL, which do not know where they are told.
beforeEach(needPostgres);
