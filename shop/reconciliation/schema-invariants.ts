/** Finds database objects that were dropped, disabled or replaced. */
import { SERVER_MAJOR, STRUCTURE } from "../../database/structure.ts";
import type { Invariant } from "./invariants.ts";

export const schemaInvariants: Invariant[] = [
  {
    claim: "Every trigger, constraint, index and function of the migrations is in place and works.",
    discrepancies: `
      SELECT format('The %s %s %s.', expected.kind, expected.name, CASE WHEN present.name IS NULL THEN 'is missing'
        WHEN present.state <> expected.state THEN 'is ' || coalesce(nullif(present.state, ''), 'in another state')
        ELSE 'is not as its migration made it' END) AS detail, NULL::uuid AS purchase_id
      FROM public.structure AS expected
      LEFT JOIN (${STRUCTURE}) AS present ON present.kind = expected.kind AND present.name = expected.name
      WHERE present.name IS NULL OR present.state <> expected.state
        OR (present.definition <> expected.definition AND expected.server_major = ${SERVER_MAJOR})`,
  },
];
