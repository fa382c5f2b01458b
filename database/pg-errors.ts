import pg from "pg";

const UNIQUE_VIOLATION = "23505";
const LOCK_TIMED_OUT = "55P03";
const INVALID_PARAMETER = "22023";

export function isUniqueViolation(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError && error.code === UNIQUE_VIOLATION && error.constraint === constraint
  );
}

export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === LOCK_TIMED_OUT;
}

export function isInvalidParameter(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === INVALID_PARAMETER;
}
