-- Changes of many products at once, and undoing them, are imports whose rows do not come from a file.

ALTER TABLE shop.product_import
  ADD COLUMN kind text NOT NULL DEFAULT 'file' CHECK (kind IN ('file', 'bulk', 'undo')),
  -- which products, and what becomes of them
  ADD COLUMN bulk_change jsonb CHECK ((bulk_change IS NOT NULL) = (kind = 'bulk')),
  ADD COLUMN undoes uuid REFERENCES shop.product_import ON DELETE CASCADE CHECK ((undoes IS NOT NULL) = (kind = 'undo'));

-- an import is undone once
CREATE UNIQUE INDEX product_import_undoes_idx ON shop.product_import (undoes);
