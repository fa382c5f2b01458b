/** Finds database objects that were dropped, disabled or replaced, and rows that no constraint would allow. */
import { RECORDS, SERVER_MAJOR, type StructureRecord } from "../../database/structure.ts";
import type { Invariants } from "./invariants.ts";

const findChanged = ({ table, present }: StructureRecord) => `
  SELECT format('The %s %s %s.', expected.kind, expected.name, CASE WHEN present.name IS NULL THEN 'is missing'
    WHEN present.state <> expected.state THEN 'is ' || coalesce(nullif(present.state, ''), 'in another state')
    ELSE 'is not as its migration made it' END) AS detail, NULL::uuid AS purchase_id
  FROM ${table} AS expected
  LEFT JOIN (${present}) AS present ON present.kind = expected.kind AND present.name = expected.name
  WHERE present.name IS NULL OR present.state <> expected.state
    OR (present.definition <> expected.definition AND expected.server_major = ${SERVER_MAJOR})`;

export const schemaInvariants: Invariants = {
  "Every trigger, constraint, index, function and column of the migrations is in place and works.":
    RECORDS.map(findChanged).join(" UNION ALL "),
  "Each row that another one names is there.":
    "SELECT detail, NULL::uuid AS purchase_id FROM shop.find_orphans()",
};
