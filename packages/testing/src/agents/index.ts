/**
 * Agents of an in-process platform: registering them, minting sessions, signing, runs, A2A calls, and the
 * servers they pay and ask.
 */
export { type A2aFixture, a2aFixture, eventsIn, eventually, type RpcAnswer } from './a2a-fixture.ts'
export { type RunOwner, readRun, runEvents, runReaches, startRun } from './agent-runs.ts'
export {
  anyAddress,
  costOfAllowed,
  eventsOf,
  mySession,
  signAs,
  transferRequest,
  violation,
} from './agent-signing.ts'
export { type MintedSession, makeAgent, mintBody, mintSession, roomForFees, setRules } from './agents.ts'
export { type PaidServer, startPaidServer } from './paid-server.ts'
export { type ScriptedModel, startScriptedModel } from './scripted-model.ts'
