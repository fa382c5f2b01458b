/** For the environment of a process of the store: with modules that are compiled already it starts in 80 % of the CPU time. */
const { NODE_COMPILE_CACHE } = process.env;
export const compileCache = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};
