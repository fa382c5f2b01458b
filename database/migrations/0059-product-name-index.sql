-- With the id, a page far down the list by name is found in the index alone.

DROP INDEX shop.product_name_idx;
CREATE INDEX product_name_idx ON shop.product (name, id) WHERE archived_at IS NULL;
