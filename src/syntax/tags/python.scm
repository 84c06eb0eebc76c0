(module (expression_statement (assignment left: (identifier) @name) @variable))
(type_alias_statement left: (type (identifier) @name)) @type
(class_definition name: (identifier) @name) @class
(class_definition body: (block (expression_statement (assignment left: (identifier) @name) @field)))
(function_definition name: (identifier) @name) @function
