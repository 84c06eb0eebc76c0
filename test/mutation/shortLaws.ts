import fc from 'fast-check';

// Thousands of mutants each run every law that meets them.
fc.configureGlobal({ interruptAfterTimeLimit: 300 });
