-- Only what bypasses foreign keys makes them: a superuser, or a copy without its checks. The doctor reports them.
CREATE FUNCTION shop.find_orphans() RETURNS TABLE (detail text) LANGUAGE plpgsql STABLE AS $$
DECLARE
  key record;
BEGIN
  FOR key IN
    SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
      string_agg(format('parent.%I = child.%I', referenced.attname, referencing.attname), ' AND ') AS is_parent,
      string_agg(format('child.%I IS NOT NULL', referencing.attname), ' AND ') AS has_parent,
      concat_ws(', ', string_agg(format('%L, child.%I', referencing.attname, referencing.attname), ', '), (
        SELECT string_agg(format('%L, child.%I', attname, attname), ', ')
        FROM pg_index JOIN pg_attribute ON attrelid = indrelid AND attnum = ANY (indkey)
        WHERE indrelid = conrelid AND indisprimary)) AS identity
    FROM pg_constraint
    CROSS JOIN LATERAL unnest(conkey, confkey) AS k (child_column, parent_column)
    JOIN pg_attribute AS referencing ON referencing.attrelid = conrelid AND referencing.attnum = child_column
    JOIN pg_attribute AS referenced ON referenced.attrelid = confrelid AND referenced.attnum = parent_column
    WHERE contype = 'f' AND connamespace = 'shop'::regnamespace
    GROUP BY pg_constraint.oid, conrelid, confrelid
  LOOP
    RETURN QUERY EXECUTE format(
      'SELECT format(''A row of %%s names one of %%s that is missing: %%s.'', %L, %L, jsonb_build_object(%s))
       FROM %s AS child WHERE %s AND NOT EXISTS (SELECT FROM %s AS parent WHERE %s)',
      key.child, key.parent, key.identity, key.child, key.has_parent, key.parent, key.is_parent);
  END LOOP;
END $$;
