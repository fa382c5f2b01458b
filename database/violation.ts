import pg from "pg";

const UNIQUE_VIOLATION = "23505";

/** Whether a statement failed because a value that must be unique (under this constraint) is taken. */
export function isTaken(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  );
}
