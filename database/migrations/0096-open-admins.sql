-- An admin's account is never closed or deleted, so that an admin is somebody who can sign in: the only one is kept.
UPDATE shop.user SET role = 'user' WHERE role = 'admin' AND (disabled_at IS NOT NULL OR deleted_at IS NOT NULL);
ALTER TABLE shop.user
  ADD CONSTRAINT user_open_admin_check CHECK (role <> 'admin' OR (disabled_at IS NULL AND deleted_at IS NULL));
