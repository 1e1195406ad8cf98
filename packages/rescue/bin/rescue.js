#!/usr/bin/env node
import '../dist/rescue.js'
