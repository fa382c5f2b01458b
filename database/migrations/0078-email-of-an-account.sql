-- The email that signs in and the one that the store uses change in one statement. A process that was killed between
-- two left them different, and an account that was deleted between them kept its new email.
CREATE FUNCTION identity.change_email() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE shop.user SET email = lower(NEW.email) WHERE id = NEW.id AND deleted_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER change_email AFTER UPDATE OF email ON identity."user"
  FOR EACH ROW WHEN (NEW.email <> OLD.email) EXECUTE FUNCTION identity.change_email();

UPDATE shop.user SET email = lower(account.email) FROM identity."user" account
WHERE account.id = shop.user.id AND shop.user.email <> lower(account.email) AND deleted_at IS NULL
  AND NOT EXISTS (SELECT FROM shop.user other WHERE other.email = lower(account.email));
