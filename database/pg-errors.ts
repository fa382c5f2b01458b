import pg from "pg";

const UNIQUE_VIOLATION = "23505";
const LOCK_TIMED_OUT = "55P03";

/** Whether a statement failed because a value that must be unique (under this constraint) is taken. */
export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  );
}

/** Whether a statement failed because somebody held what it wanted for longer than it would wait. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_TIMED_OUT;
}
