(class_declaration name: (type_identifier) @name) @class
(abstract_class_declaration name: (type_identifier) @name) @class
(public_field_definition name: (_) @name) @property
(method_definition name: (_) @name) @method
(abstract_method_signature name: (_) @name) @method
(interface_declaration name: (type_identifier) @name) @interface
(interface_body (property_signature name: (_) @name) @property)
(interface_body (method_signature name: (_) @name) @method)
(type_alias_declaration name: (type_identifier) @name) @type
(enum_declaration name: (identifier) @name) @enum
(enum_body name: (_) @name @enum_member)
(enum_body (enum_assignment name: (_) @name) @enum_member)
(internal_module name: (_) @name) @namespace
(function_declaration name: (identifier) @name) @function
(generator_function_declaration name: (identifier) @name) @function
(function_signature name: (identifier) @name) @function
(program (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @function))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name value: [(arrow_function) (function_expression)]) @function)))
(statement_block (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (lexical_declaration (variable_declarator name: (identifier) @name) @variable))
(program (export_statement declaration: (lexical_declaration (variable_declarator name: (identifier) @name) @variable)))
(program (variable_declaration (variable_declarator name: (identifier) @name) @variable))
