#!/usr/bin/env node
// Any Node from 20 on finds the one that the platform runs on; scripts/node.mjs says how.
import { fileURLToPath } from 'node:url'

process.argv.splice(2, 0, fileURLToPath(new URL('../../../scripts/run.ts', import.meta.url)), 'cli')
await import('../../../scripts/node.mjs')
