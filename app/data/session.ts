/** Who is signed in, as this browser remembers it: the access token of the specification and a hint for the header. */
import { useSyncExternalStore } from "react";

export interface SignedInUser {
  email: string;
  name: string;
  role?: "admin" | "user";
}

const TOKEN = "accessToken";
const PERSON = "stator.person";

let remembered: { text: string | null; person: SignedInUser | null } = { text: null, person: null };
const listeners = new Set<() => void>();

/** The access token for the Authorization header, or null. */
export function readToken(): string | null {
  return localStorage.getItem(TOKEN);
}

export function storeToken(token: string): void {
  localStorage.setItem(TOKEN, token);
}

/** The remembered person, or null when signed out. The same object until it changes. */
export function readUser(): SignedInUser | null {
  const text = localStorage.getItem(PERSON);
  if (text !== remembered.text) remembered = { text, person: parsePerson(text) };
  return remembered.person;
}

/** Remembers the person and the token; the header follows at once, in other tabs too. */
export function startSession(person: SignedInUser, token: string): void {
  storeUser(person);
  storeToken(token);
}

/** Remembers the person whom the server named. The token of another person is of no use to them. */
export function storeUser(person: SignedInUser): void {
  const text = JSON.stringify(person);
  if (text === localStorage.getItem(PERSON)) return;
  if (readUser()?.email !== person.email) localStorage.removeItem(TOKEN);
  localStorage.setItem(PERSON, text);
  announce();
}

/** Forgets the person and removes the token (specification, section 4). */
export function clearSession(): void {
  localStorage.removeItem(TOKEN);
  localStorage.removeItem(PERSON);
  announce();
}

/** The signed-in person; null on the server and while signed out. */
export function useSignedInUser(): SignedInUser | null {
  return useSyncExternalStore(subscribe, readUser, () => null);
}

function parsePerson(text: string | null): SignedInUser | null {
  if (!text) return null;
  try {
    const person = JSON.parse(text) as Partial<SignedInUser> | null;
    return typeof person?.email === "string" ? { name: person.email, ...person, email: person.email } : null;
  } catch {
    return null; // foreign content under our key counts as signed out
  }
}

function announce(): void {
  const person = readUser();
  const root = document.documentElement;
  if (person) {
    root.dataset.signedIn = person.role === "admin" ? "admin" : "user";
    root.style.setProperty("--person", JSON.stringify(person.name));
  } else {
    delete root.dataset.signedIn;
    root.style.removeProperty("--person");
  }
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", announce);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", announce);
  };
}
