-- The files of uploaded pictures, where the nodes of a fleet share nothing but the database.
CREATE TABLE shop.picture_file (
  name text PRIMARY KEY,
  content bytea NOT NULL
);
-- they are compressed already
ALTER TABLE shop.picture_file ALTER COLUMN content SET STORAGE EXTERNAL;
