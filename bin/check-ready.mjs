// The image's health check: exits with 0 if the store on PORT is ready.
const { PORT = "3000" } = process.env;
try {
  const { ok } = await fetch(`http://127.0.0.1:${PORT}/readyz`, { signal: AbortSignal.timeout(2500) });
  process.exitCode = ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
