-- The process that runs an import, by the number of its run: one that was taken for dead and is not writes no more.
ALTER TABLE shop.product_import ADD COLUMN run uuid;
