/** The verifier as a command of other programs: the same checks, the same words, the same exit codes. */
export { type NodeOutput, nodeWorld } from './adapters/node-world.ts'
export { runVerify } from './run-verify.ts'
