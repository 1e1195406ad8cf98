/** A boot of an enclave whose attestations and receipts are simulated, for tests of those who verify them. */
export { type BootInput, type SimulatedBoot, simulatedBoot } from './simulated-boot.ts'
