import { count } from "../../../components/format.ts";

export const toolsOf = (amount: number) => (amount === 1 ? "1 tool" : `${count(amount)} tools`);
export const rowsOf = (amount: number) => (amount === 1 ? "1 row" : `${count(amount)} rows`);
