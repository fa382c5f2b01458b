-- Which field each column of an imported file holds, where its headings do not say so; empty for a column not read.
ALTER TABLE shop.product_import ADD COLUMN fields text[];
