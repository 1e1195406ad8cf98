export * from './messages.ts'
export * from './turn-line.ts'
