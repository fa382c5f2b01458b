-- Imports of products from CSV files: the file, one row per record with what it would change, and how far it is applied.

CREATE TABLE shop.product_import (
  id uuid PRIMARY KEY DEFAULT uuidv7(),
  user_id uuid NOT NULL REFERENCES shop.user,
  file_name text NOT NULL,
  bytes bigint NOT NULL,
  sha256 text NOT NULL,
  -- compare only; a finished dry run can be applied once
  dry_run boolean NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed')),
  -- the rows are complete; from then on the file is not read again
  is_staged boolean NOT NULL DEFAULT false,
  progress double precision NOT NULL DEFAULT 0 CHECK (progress BETWEEN 0 AND 1),
  -- of the known columns, in the order of the file
  columns text[],
  -- headings of the file that are no column of a product
  ignored text[],
  rows integer NOT NULL DEFAULT 0,
  created integer NOT NULL DEFAULT 0,
  changed integer NOT NULL DEFAULT 0,
  unchanged integer NOT NULL DEFAULT 0,
  refused integer NOT NULL DEFAULT 0,
  -- why it failed
  problem text CHECK ((problem IS NOT NULL) = (state = 'failed')),
  created_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz CHECK ((finished_at IS NOT NULL) = (state IN ('done', 'failed')))
);
CREATE INDEX product_import_created_idx ON shop.product_import (created_at);

-- The file in parts, so that any process can read it; deleted once the rows are staged.
CREATE TABLE shop.product_import_part (
  import_id uuid NOT NULL REFERENCES shop.product_import ON DELETE CASCADE,
  position integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (import_id, position)
);

CREATE TABLE shop.product_import_row (
  import_id uuid NOT NULL REFERENCES shop.product_import ON DELETE CASCADE,
  -- of the file, as a spreadsheet counts: the heading is row 1
  row integer NOT NULL,
  status text NOT NULL CHECK (status IN ('new', 'changed', 'unchanged', 'refused')),
  reason text CHECK ((reason IS NOT NULL) = (status = 'refused')),
  -- as they are in the file
  cells text[] NOT NULL,
  -- the product as the row would make it, and what it changes of the present one
  product jsonb CHECK ((product IS NOT NULL) = (status IN ('new', 'changed')) OR status = 'refused'),
  before jsonb,
  product_id uuid,
  version integer,
  is_applied boolean NOT NULL DEFAULT false CHECK (NOT is_applied OR status IN ('new', 'changed')),
  PRIMARY KEY (import_id, row),
  CHECK (status <> 'changed' OR (product_id IS NOT NULL AND version IS NOT NULL AND before IS NOT NULL))
);
CREATE INDEX product_import_row_status_idx ON shop.product_import_row (import_id, status, row);
CREATE INDEX product_import_row_pending_idx ON shop.product_import_row (import_id, row)
  WHERE status IN ('new', 'changed') AND NOT is_applied;
