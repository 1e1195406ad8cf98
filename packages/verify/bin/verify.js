#!/usr/bin/env node
import '../dist/verify.js'
