/** What a page asked of the store while it was made, and what it was told: as long as that is true, so is the page. */
import type { Storefront } from "../app/context.ts";

export interface Question {
  ask: () => Promise<unknown>;
  answer: string;
}

/** The same storefront, with every question noted. */
export function noting(storefront: Storefront): { storefront: Storefront; questions: Question[] } {
  const questions: Question[] = [];
  const noted = Object.entries(storefront).map(
    ([name, answer]: [string, (given: never) => Promise<unknown>]) => [
      name,
      async (given: never) => {
        const told = await answer(given);
        questions.push({ ask: () => answer(given), answer: JSON.stringify(told) });
        return told;
      },
    ],
  );
  return { storefront: Object.fromEntries(noted) as unknown as Storefront, questions };
}

/** Whether each would be answered the same now. */
export async function stillTrue(questions: Question[]): Promise<boolean> {
  const now = await Promise.all(questions.map(({ ask }) => ask()));
  return questions.every(({ answer }, place) => answer === JSON.stringify(now[place]));
}
