import { test } from 'vitest'
import { memoryStorage } from './memory-storage.ts'
import { shareStorageContract } from './share-storage.contract.ts'

test.each(shareStorageContract)('in memory: $name', ({ run }) => run(memoryStorage()))
