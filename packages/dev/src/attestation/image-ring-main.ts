import { makeRingFile } from '@symbolon/enclave/file-root'

/**
 * Gives the test image a ring of its own: loaded before the enclave program, which makes none. The ring lies where the program looks for it, in
 * memory, and ends with the machine.
 */
makeRingFile(process.env['ENCLAVE_KEY_FILE'] ?? '')
