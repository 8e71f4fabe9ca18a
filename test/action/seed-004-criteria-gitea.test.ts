import { testCriteria } from "./seed-004-criteria.ts";

testCriteria("gitea");
