/** The limit: bare Node sending prepared bytes with the same headers. */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";

interface Answer {
  headers: [string, string][];
  /** base64 */
  body: string;
}

const responses = new Map(
  Object.entries((await json(process.stdin)) as Record<string, Answer>).map(([path, { headers, body }]) => {
    const bytes = Buffer.from(body, "base64");
    return [path, { headers: headers.flat(), bytes }];
  }),
);
createServer((request, response) => {
  const answer = responses.get(request.url as string);
  if (!answer) return response.writeHead(404).end();
  response.writeHead(200, answer.headers).end(answer.bytes);
}).listen(Number(process.argv[2]), "127.0.0.1", () => console.log("ready"));
process.on("SIGTERM", () => process.exit(0));
